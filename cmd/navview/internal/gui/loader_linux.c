//go:build !headless

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

// The compiled Dear ImGui of cimgui-go calls __isoc23_sscanf, which glibc has since 2.38 only. Where
// there is one, it takes the place of this.
__attribute__((weak)) int __isoc23_sscanf(const char *text, const char *format, ...) {
	va_list to;
	va_start(to, format);
	int read = vsscanf(text, format, to);
	va_end(to);
	return read;
}

// The loader of Dear ImGui closes this library with the last UI, but calls its functions again for the
// next one: it stays open.
__attribute__((constructor)) static void keep_opengl(void) { dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_LOCAL); }
