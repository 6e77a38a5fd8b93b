/* SPDX-License-Identifier: MIT */
/*
 * The functions of OpenCL that dmm calls. Every file that calls one includes this header. With
 * DMM_OPENCL_LOAD they are found at run time, at the first call: a program that embeds dmm starts
 * where OpenCL is not installed. Otherwise the linker finds them.
 */
#ifndef DMM_CORE_OPENCL_H
#define DMM_CORE_OPENCL_H

#include <dmm/types.h>

/* Returns why OpenCL cannot be used and what to do, or NULL. If not NULL, clGetPlatformIDs finds no
 * platform, and the other functions must not be called. */
const char *dmm_opencl_failure(void);

#if defined(DMM_OPENCL_LOAD)

#define DMM_OPENCL_FUNCTIONS(X)    \
    X(clBuildProgram)              \
    X(clCreateBuffer)              \
    X(clCreateCommandQueue)        \
    X(clCreateContext)             \
    X(clCreateKernel)              \
    X(clCreateKernelsInProgram)    \
    X(clCreateProgramWithBinary)   \
    X(clCreateProgramWithSource)   \
    X(clEnqueueCopyBuffer)         \
    X(clEnqueueFillBuffer)         \
    X(clEnqueueMarkerWithWaitList) \
    X(clEnqueueNDRangeKernel)      \
    X(clEnqueueReadBuffer)         \
    X(clEnqueueWriteBuffer)        \
    X(clFinish)                    \
    X(clFlush)                     \
    X(clGetCommandQueueInfo)       \
    X(clGetContextInfo)            \
    X(clGetDeviceIDs)              \
    X(clGetDeviceInfo)             \
    X(clGetKernelWorkGroupInfo)    \
    X(clGetMemObjectInfo)          \
    X(clGetPlatformIDs)            \
    X(clGetPlatformInfo)           \
    X(clGetProgramBuildInfo)       \
    X(clGetProgramInfo)            \
    X(clReleaseCommandQueue)       \
    X(clReleaseContext)            \
    X(clReleaseEvent)              \
    X(clReleaseKernel)             \
    X(clReleaseMemObject)          \
    X(clReleaseProgram)            \
    X(clRetainContext)             \
    X(clSetKernelArg)              \
    X(clWaitForEvents)

#define DMM_OPENCL_MEMBER(name) __typeof__(name) *name;
typedef struct dmm_opencl_functions {
    DMM_OPENCL_FUNCTIONS(DMM_OPENCL_MEMBER)
} dmm_opencl_functions;
#undef DMM_OPENCL_MEMBER

/* Returns the functions, found by the first call in the process, from any thread. */
const dmm_opencl_functions *dmm_opencl(void);

#define clBuildProgram(...)              dmm_opencl()->clBuildProgram(__VA_ARGS__)
#define clCreateBuffer(...)              dmm_opencl()->clCreateBuffer(__VA_ARGS__)
#define clCreateCommandQueue(...)        dmm_opencl()->clCreateCommandQueue(__VA_ARGS__)
#define clCreateContext(...)             dmm_opencl()->clCreateContext(__VA_ARGS__)
#define clCreateKernel(...)              dmm_opencl()->clCreateKernel(__VA_ARGS__)
#define clCreateKernelsInProgram(...)    dmm_opencl()->clCreateKernelsInProgram(__VA_ARGS__)
#define clCreateProgramWithBinary(...)   dmm_opencl()->clCreateProgramWithBinary(__VA_ARGS__)
#define clCreateProgramWithSource(...)   dmm_opencl()->clCreateProgramWithSource(__VA_ARGS__)
#define clEnqueueCopyBuffer(...)         dmm_opencl()->clEnqueueCopyBuffer(__VA_ARGS__)
#define clEnqueueFillBuffer(...)         dmm_opencl()->clEnqueueFillBuffer(__VA_ARGS__)
#define clEnqueueMarkerWithWaitList(...) dmm_opencl()->clEnqueueMarkerWithWaitList(__VA_ARGS__)
#define clEnqueueNDRangeKernel(...)      dmm_opencl()->clEnqueueNDRangeKernel(__VA_ARGS__)
#define clEnqueueReadBuffer(...)         dmm_opencl()->clEnqueueReadBuffer(__VA_ARGS__)
#define clEnqueueWriteBuffer(...)        dmm_opencl()->clEnqueueWriteBuffer(__VA_ARGS__)
#define clFinish(...)                    dmm_opencl()->clFinish(__VA_ARGS__)
#define clFlush(...)                     dmm_opencl()->clFlush(__VA_ARGS__)
#define clGetCommandQueueInfo(...)       dmm_opencl()->clGetCommandQueueInfo(__VA_ARGS__)
#define clGetContextInfo(...)            dmm_opencl()->clGetContextInfo(__VA_ARGS__)
#define clGetDeviceIDs(...)              dmm_opencl()->clGetDeviceIDs(__VA_ARGS__)
#define clGetDeviceInfo(...)             dmm_opencl()->clGetDeviceInfo(__VA_ARGS__)
#define clGetKernelWorkGroupInfo(...)    dmm_opencl()->clGetKernelWorkGroupInfo(__VA_ARGS__)
#define clGetMemObjectInfo(...)          dmm_opencl()->clGetMemObjectInfo(__VA_ARGS__)
#define clGetPlatformIDs(...)            dmm_opencl()->clGetPlatformIDs(__VA_ARGS__)
#define clGetPlatformInfo(...)           dmm_opencl()->clGetPlatformInfo(__VA_ARGS__)
#define clGetProgramBuildInfo(...)       dmm_opencl()->clGetProgramBuildInfo(__VA_ARGS__)
#define clGetProgramInfo(...)            dmm_opencl()->clGetProgramInfo(__VA_ARGS__)
#define clReleaseCommandQueue(...)       dmm_opencl()->clReleaseCommandQueue(__VA_ARGS__)
#define clReleaseContext(...)            dmm_opencl()->clReleaseContext(__VA_ARGS__)
#define clReleaseEvent(...)              dmm_opencl()->clReleaseEvent(__VA_ARGS__)
#define clReleaseKernel(...)             dmm_opencl()->clReleaseKernel(__VA_ARGS__)
#define clReleaseMemObject(...)          dmm_opencl()->clReleaseMemObject(__VA_ARGS__)
#define clReleaseProgram(...)            dmm_opencl()->clReleaseProgram(__VA_ARGS__)
#define clRetainContext(...)             dmm_opencl()->clRetainContext(__VA_ARGS__)
#define clSetKernelArg(...)              dmm_opencl()->clSetKernelArg(__VA_ARGS__)
#define clWaitForEvents(...)             dmm_opencl()->clWaitForEvents(__VA_ARGS__)

#endif

#endif
