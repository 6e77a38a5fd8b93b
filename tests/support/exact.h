/* SPDX-License-Identifier: MIT */
/*
 * The predicates of cl/hull/exact.clh and quick.clh, compiled for the host in both widths, and an
 * account of the same signs that is independent of them: every product is added, as it is, to one
 * fixed-point number that holds the whole range of products of doubles.
 */
#ifndef DMM_TESTS_EXACT_H
#define DMM_TESTS_EXACT_H

typedef struct flat {
    float x, y;
} flat;

typedef struct plane_point {
    double x, y;
} plane_point;

/* As the kernels do it. */
int exact_orient_f32(flat a, flat b, flat c);
int exact_orient_f64(plane_point a, plane_point b, plane_point c);
int exact_cross_f32(flat a, flat b, flat p, flat q);
int exact_cross_f64(plane_point a, plane_point b, plane_point p, plane_point q);
int quick_cross_f32(flat a, flat b, flat p, flat q);
int quick_cross_f64(plane_point a, plane_point b, plane_point p, plane_point q);
int exact_compare_f32(flat a, flat b);
int exact_compare_f64(plane_point a, plane_point b);

/* The sign of (b - a) x (q - p). Floats are doubles, too. */
int oracle_cross(plane_point a, plane_point b, plane_point p, plane_point q);
int oracle_orient(plane_point a, plane_point b, plane_point c);

#endif
