# SPDX-License-Identifier: MIT
"""make.py SOURCE FOLDER: writes into FOLDER what mkdocs makes the site from: mkdocs.yml, and pages from the README and docs.

The README is the home page, docs/README.md the page of all pages and, by its headings, the menu. A link to a file outside
of docs becomes a link to a page with the text of that file; public headers are also the reference in the menu. So every
link leads somewhere: `mkdocs build --strict` fails if one does not.
"""
import json
import os
import re
import shutil
import sys

LANGUAGES = {".h": "c", ".c": "c", ".cl": "c", ".clh": "c", ".cpp": "cpp", ".cu": "cpp", ".py": "python", ".sh": "sh"}
MOVING = "docs/site/moving.html"  # its page is what the target `moving` made of it
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)\)")


class Site:
    def __init__(self, source, folder):
        self.source, self.folder = source, folder
        self.copied = set()  # files that have been copied, or made pages

    def write(self, name, text):
        path = os.path.join(self.folder, "docs", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def page_of(self, path):
        """Returns the name of the page or picture for a file or folder of the source, and makes it."""
        if path == "README.md":
            return "index.md"
        if path == "docs/README.md":
            return "pages.md"
        if path == MOVING and os.path.exists(os.path.join(self.folder, "moving.html")):
            return "moving.html"
        if path.startswith("docs/") and path.endswith(".md"):
            return path[len("docs/"):]
        whole = os.path.join(self.source, path)
        picture = path.endswith(".svg")
        name = "pictures/" + os.path.basename(path) if picture else "source/%s.md" % path.rstrip("/")
        if name not in self.copied:
            self.copied.add(name)
            if picture:
                os.makedirs(os.path.join(self.folder, "docs/pictures"), exist_ok=True)
                shutil.copy(whole, os.path.join(self.folder, "docs", name))
            elif os.path.isdir(whole):
                self.write(name, "# %s\n\n%s\n" % (path, "\n".join("- `%s`" % entry for entry in sorted(os.listdir(whole)))))
            elif path.endswith(".md"):
                self.write(name, self.linked(path, name))
            else:
                language = LANGUAGES.get(os.path.splitext(path)[1], "text")
                text = open(whole, encoding="utf-8").read()
                self.write(name, "---\nhide: [toc]\n---\n# %s\n\n~~~~ %s\n%s~~~~\n" % (path, language, text))
        return name

    def linked(self, path, name):
        """Returns the text of the Markdown file `path` with links for its page `name`."""
        text = open(os.path.join(self.source, path), encoding="utf-8").read()

        def changed(match):
            target, _, anchor = match[2].partition("#")
            if ":" in target or not target:
                return match[0]
            file = os.path.normpath(os.path.join(os.path.dirname(path), target))
            to = os.path.relpath(self.page_of(file), os.path.dirname(name) or ".")
            return "%s%s%s)" % (match[1], to, "#" + anchor if anchor else "")

        text = LINK.sub(changed, text)
        # What follows the language of a block is the file that it quotes.
        text = re.sub(r"^```(c|cpp|python|cmake) (\S+)$", r'```\1 title="\2"', text, flags=re.M)
        # The other blocks that begin a list in Markdown need an empty line before it.
        return re.sub(r"^([^\n|#>-][^\n]*)\n(- )", r"\1\n\n\2", text, flags=re.M)

    def gallery(self):
        """Writes a page with every picture of the project."""
        text = "# Gallery\n\nFor readers who look for a picture: all of them are drawn by commands of this project.\n"
        for folder in ("docs", "bench/results"):
            for name in sorted(os.listdir(os.path.join(self.source, folder))):
                if name.endswith(".svg"):
                    text += "\n## %s\n\n![%s](%s)\n" % (name[:-4], name[:-4], self.page_of(folder + "/" + name))
        self.write("gallery.md", text)

    def menu(self):
        """Returns the menu: the home page, the headings of docs/README.md with the pages below them, and the headers."""
        index = open(os.path.join(self.source, "docs/README.md"), encoding="utf-8").read()
        menu, listed = [{"Home": "index.md"}, {"All pages": "pages.md"}], set()
        for part in index.split("\n## ")[1:]:
            heading, text = part.split("\n", 1)
            pages = [page for page in re.findall(r"\]\(([a-z_/]+\.md)[^)]*\)", text) if page not in listed]
            listed.update(pages)
            menu.append({heading: pages})
        headers = {}
        for library in ("dmm", "dmm-model", "dmm-mpi"):
            files = sorted(os.listdir(os.path.join(self.source, "include", library)))
            headers[library] = [{name: self.page_of("include/%s/%s" % (library, name))} for name in files if name != "export.h"]
        menu.append({"Conflicts, step by step": self.page_of(MOVING)})
        menu.append("gallery.md")
        menu.append({"Reference": [{library: pages} for library, pages in headers.items()]})
        return menu


def main():
    source, folder = sys.argv[1:]
    shutil.rmtree(os.path.join(folder, "docs"), ignore_errors=True)
    site = Site(source, folder)
    pages = ["README.md"] + [part + "/" + name for part in ("docs", "docs/records")
                             for name in sorted(os.listdir(os.path.join(source, part))) if name.endswith(".md")]
    for path in pages:
        name = site.page_of(path)
        site.write(name, site.linked(path, name))
    site.gallery()
    shutil.copy(os.path.join(source, "docs/site/extra.css"), os.path.join(folder, "docs"))
    if site.page_of(MOVING) == "moving.html":
        shutil.copy(os.path.join(folder, "moving.html"), os.path.join(folder, "docs"))
    with open(os.path.join(folder, "mkdocs.yml"), "w", encoding="utf-8") as file:
        settings = open(os.path.join(source, "docs/site/mkdocs.yml"), encoding="utf-8").read()
        file.write(settings + "\nnav: " + json.dumps(site.menu()) + "\n")


if __name__ == "__main__":
    main()
