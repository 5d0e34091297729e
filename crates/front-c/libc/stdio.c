/* Models of the streams of <stdio.h>: input is arbitrary, output goes nowhere.

   A stream is an object of which the program has a pointer to `state`; that is
   not the start of the object, so it cannot be freed. Opened streams are memory
   of the library, as in glibc: they are in a list, so they are never lost, and
   one that is never closed is never freed. The standard streams stay where they
   are when they are closed; what is done with them then is not seen, unless
   they are closed again. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t n);
void free(void *p);
int __parallax_any_int(void);
char __parallax_any_char(void);
long __parallax_any_long(void);
size_t __parallax_any_size(void);
void __parallax_assume(int condition);
void __parallax_errno(int number);
void __parallax_readable(const void *p, size_t n);
void __parallax_stream(const void *stream);

struct stream {
    struct stream *previous, *next;
    int state;
    int room[45];
};

static struct stream standard_input, standard_output, standard_error;
static char input_closed, output_closed, error_closed;

/* What the variables of the same names are before the program starts. */
void *__parallax_stdin = &standard_input.state;
void *__parallax_stdout = &standard_output.state;
void *__parallax_stderr = &standard_error.state;

static struct stream *streams;

/* There is a string. */
void __parallax_check_string(const char *s)
{
    while (*s)
        s++;
}

/* There is a string, or as many characters. */
void __parallax_check_text(const char *s, size_t most)
{
    for (size_t i = 0; i < most && s[i]; i++)
        ;
}

static void *open_stream(void)
{
    if (!__parallax_any_int()) {
        __parallax_errno(__parallax_any_int() | 1);
        return 0;
    }
    struct stream *new = malloc(sizeof *new);
    if (!new) {
        __parallax_errno(12);
        return 0;
    }
    __parallax_errno(__parallax_any_int());
    new->previous = 0;
    new->next = streams;
    if (streams)
        streams->previous = new;
    streams = new;
    return &new->state;
}

static void close_standard(char *is_closed)
{
    if (*is_closed)
        __parallax_stream(0);
    *is_closed = 1;
}

static void close_stream(void *stream)
{
    if (stream == &standard_input.state) {
        close_standard(&input_closed);
        return;
    }
    if (stream == &standard_output.state) {
        close_standard(&output_closed);
        return;
    }
    if (stream == &standard_error.state) {
        close_standard(&error_closed);
        return;
    }
    struct stream *old =
        (struct stream *)((char *)stream - __builtin_offsetof(struct stream, state));
    struct stream *previous = old->previous;
    struct stream *next = old->next;
    if (next)
        next->previous = previous;
    if (previous)
        previous->next = next;
    else
        streams = next;
    free(old);
}

void *__parallax_fopen(const char *name, const char *mode)
{
    __parallax_check_string(name);
    __parallax_check_string(mode);
    return open_stream();
}

void *__parallax_fdopen(int file, const char *mode)
{
    __parallax_check_string(mode);
    return open_stream();
}

void *__parallax_popen(const char *command, const char *mode)
{
    __parallax_check_string(command);
    __parallax_check_string(mode);
    return open_stream();
}

void *__parallax_tmpfile(void)
{
    return open_stream();
}

/* The stream stays where it is; if it cannot be opened again, it is closed. */
void *__parallax_freopen(const char *name, const char *mode, void *stream)
{
    if (name)
        __parallax_check_string(name);
    __parallax_check_string(mode);
    __parallax_stream(stream);
    __parallax_errno(__parallax_any_int());
    if (__parallax_any_int())
        return stream;
    close_stream(stream);
    return 0;
}

int __parallax_fclose(void *stream)
{
    close_stream(stream);
    __parallax_errno(__parallax_any_int());
    return __parallax_any_int() ? -1 : 0;
}

int __parallax_pclose(void *stream)
{
    close_stream(stream);
    __parallax_errno(__parallax_any_int());
    return __parallax_any_int();
}

int __parallax_getchar(void)
{
    __parallax_errno(__parallax_any_int());
    return __parallax_any_int() ? __parallax_any_int() & 255 : -1;
}

int __parallax_getchar_unlocked(void)
{
    return __parallax_getchar();
}

int __parallax_fgetc(void *stream)
{
    __parallax_stream(stream);
    return __parallax_getchar();
}

int __parallax_getc(void *stream)
{
    return __parallax_fgetc(stream);
}

int __parallax_getc_unlocked(void *stream)
{
    return __parallax_fgetc(stream);
}

int __parallax__IO_getc(void *stream)
{
    return __parallax_fgetc(stream);
}

/* Some number of arbitrary bytes, at most `most`. */
static size_t some(void *p, size_t most)
{
    char *to = p;
    size_t n = __parallax_any_size();
    if (n > most)
        n = most;
    for (size_t i = 0; i < n; i++)
        to[i] = __parallax_any_char();
    return n;
}

/* At the end of the input, or on failure, there may be nothing. */
char *__parallax_fgets(char *s, int n, void *stream)
{
    __parallax_stream(stream);
    __parallax_errno(__parallax_any_int());
    if (n <= 0)
        return 0;
    if (n == 1) {
        s[0] = 0;
        return __parallax_any_int() ? s : 0;
    }
    if (!__parallax_any_int()) {
        /* An error, which leaves anything, or the end of the input. */
        if (__parallax_any_int())
            some(s, n);
        return 0;
    }
    /* A line ends the text, or what there is room for, or the input. */
    int length = 0;
    do {
        char c = __parallax_any_char();
        s[length++] = c;
        if (c == '\n')
            break;
    } while (length < n - 1 && __parallax_any_int());
    s[length] = 0;
    return s;
}

/* A line of any length: what is behind the pointer may be too small. */
char *__parallax_gets(char *s)
{
    __parallax_errno(__parallax_any_int());
    if (!__parallax_any_int())
        return 0;
    size_t n = 0;
    while (__parallax_any_int()) {
        char c = __parallax_any_char();
        __parallax_assume(c != '\n');
        s[n++] = c;
    }
    s[n] = 0;
    return s;
}

size_t __parallax_fread(void *p, size_t each, size_t count, void *stream)
{
    __parallax_stream(stream);
    __parallax_errno(__parallax_any_int());
    if (each == 0 || count == 0)
        return 0;
    size_t n = some(p, each * count);
    return n / each;
}

size_t __parallax_fwrite(const void *p, size_t each, size_t count, void *stream)
{
    __parallax_stream(stream);
    __parallax_readable(p, each * count);
    __parallax_errno(__parallax_any_int());
    size_t n = __parallax_any_size();
    if (each == 0 || count == 0)
        return 0;
    return n < count ? n : count;
}

long __parallax_getline(char **line, size_t *room, void *stream)
{
    __parallax_stream(stream);
    __parallax_errno(__parallax_any_int());
    char *old = *line;
    size_t had = old ? *room : 0;
    if (!__parallax_any_int())
        return -1;
    size_t n = __parallax_any_size();
    __parallax_assume(n > 0 && n < (size_t)-1 / 2);
    if (n >= had) {
        size_t size = __parallax_any_size();
        __parallax_assume(size > n);
        char *new = malloc(size);
        if (!new)
            return -1;
        free(old);
        *line = new;
        *room = size;
    }
    char *to = *line;
    for (size_t i = 0; i < n; i++) {
        to[i] = __parallax_any_char();
        __parallax_assume(to[i] != '\n' || i + 1 == n);
    }
    to[n] = 0;
    return n;
}
