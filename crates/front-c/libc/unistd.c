/* Models of <unistd.h> and <time.h>: what comes from outside is arbitrary. */

typedef __typeof__(sizeof(0)) size_t;

int __parallax_any_int(void);
long __parallax_any_long(void);
char __parallax_any_char(void);
size_t __parallax_any_size(void);
void __parallax_assume(int condition);
void __parallax_errno(int number);
void __parallax_readable(const void *p, size_t n);

/* Zero until somebody asks. */
static int process;

int __parallax_getpid(void)
{
    if (process == 0) {
        process = __parallax_any_int();
        __parallax_assume(process > 0);
    }
    return process;
}

long __parallax_read(int file, void *p, size_t n)
{
    __parallax_errno(__parallax_any_int());
    if (!__parallax_any_int())
        return -1;
    char *to = p;
    size_t some = __parallax_any_size();
    if (some > n)
        some = n;
    for (size_t i = 0; i < some; i++)
        to[i] = __parallax_any_char();
    return some;
}

long __parallax_write(int file, const void *p, size_t n)
{
    __parallax_readable(p, n);
    __parallax_errno(__parallax_any_int());
    if (!__parallax_any_int())
        return -1;
    size_t some = __parallax_any_size();
    return some < n ? some : n;
}

int __parallax_pipe(int *ends)
{
    __parallax_errno(__parallax_any_int());
    if (__parallax_any_int())
        return -1;
    ends[0] = __parallax_any_int();
    ends[1] = __parallax_any_int();
    __parallax_assume(ends[0] >= 0 && ends[1] >= 0 && ends[0] != ends[1]);
    return 0;
}

long __parallax_time(long *to)
{
    long now = __parallax_any_long();
    __parallax_assume(now >= -1);
    if (to)
        *to = now;
    return now;
}

/* The fields that the standard has, and the two of glibc. */
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

static int between(int low, int high)
{
    int n = __parallax_any_int();
    __parallax_assume(n >= low && n <= high);
    return n;
}

static void any_date(struct tm *to)
{
    to->tm_sec = between(0, 60);
    to->tm_min = between(0, 59);
    to->tm_hour = between(0, 23);
    to->tm_mday = between(1, 31);
    to->tm_mon = between(0, 11);
    to->tm_year = __parallax_any_int();
    to->tm_wday = between(0, 6);
    to->tm_yday = between(0, 365);
    to->tm_isdst = between(-1, 1);
    to->tm_gmtoff = between(-100000, 100000);
    to->tm_zone = "ZONE";
}

static struct tm the_date;

/* Null if the year does not fit. */
void *__parallax_localtime_r(const long *time, void *to)
{
    long read = *time;
    __parallax_errno(__parallax_any_int());
    any_date(to);
    return __parallax_any_int() ? to : 0;
}

void *__parallax_gmtime_r(const long *time, void *to)
{
    return __parallax_localtime_r(time, to);
}

void *__parallax_localtime(const long *time)
{
    return __parallax_localtime_r(time, &the_date);
}

void *__parallax_gmtime(const long *time)
{
    return __parallax_localtime_r(time, &the_date);
}

/* The date is brought into its ranges. */
long __parallax_mktime(void *date)
{
    struct tm *in = date;
    int read = in->tm_sec + 0u + in->tm_min + in->tm_hour + in->tm_mday + in->tm_mon;
    __parallax_errno(__parallax_any_int());
    any_date(date);
    return __parallax_any_long();
}

static char date_text[32];

static char *any_text(void)
{
    for (int i = 0; i < 24; i++)
        date_text[i] = between(' ', '~');
    date_text[24] = '\n';
    date_text[25] = 0;
    return date_text;
}

char *__parallax_asctime(const void *date)
{
    int read = ((const struct tm *)date)->tm_sec;
    return any_text();
}

char *__parallax_ctime(const long *time)
{
    long read = *time;
    return any_text();
}

size_t __parallax_strftime(char *to, size_t most, const char *format, const void *date)
{
    int read = ((const struct tm *)date)->tm_sec;
    while (*format)
        format++;
    if (!__parallax_any_int())
        return 0;
    size_t n = 0;
    for (; n + 1 < most && __parallax_any_int(); n++) {
        to[n] = __parallax_any_char();
        __parallax_assume(to[n] != 0);
    }
    if (most)
        to[n] = 0;
    return n;
}

double __parallax_difftime(long end, long start)
{
    return (double)end - (double)start;
}

struct timeval {
    long tv_sec, tv_usec;
};

int __parallax_gettimeofday(void *to, void *zone)
{
    struct timeval *now = to;
    if (now) {
        now->tv_sec = __parallax_any_long();
        now->tv_usec = between(0, 999999);
    }
    if (zone) {
        ((int *)zone)[0] = __parallax_any_int();
        ((int *)zone)[1] = __parallax_any_int();
    }
    return 0;
}

int __parallax_clock_gettime(int clock, void *to)
{
    struct timeval *now = to;
    __parallax_errno(__parallax_any_int());
    if (!__parallax_any_int())
        return -1;
    now->tv_sec = __parallax_any_long();
    now->tv_usec = between(0, 999999999);
    return 0;
}
