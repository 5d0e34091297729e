//! The program that runs another one on all inputs.

/// A program that runs another one, whose `main` is called `parallax_main`, on
/// all inputs; it exits with 1 if one of the runs comes to the error.
pub fn driver(inputs: u32) -> String {
    format!(
        "#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         int parallax_main(void);\nstatic unsigned given, next;\n\
         unsigned char __VERIFIER_nondet_uchar(void)\n{{\n    \
         return (unsigned char)(given >> (3 * next++) & 7);\n}}\n\
         void reach_error(void)\n{{\n    _exit(42);\n}}\n\
         int main(void)\n{{\n    int reached = 0;\n    \
         for (given = 0; given < {}u; given++) {{\n        int status;\n        \
         pid_t child = fork();\n        \
         if (child == 0) {{ alarm(5); parallax_main(); _exit(0); }}\n        \
         if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 3;\n        \
         if (WEXITSTATUS(status) == 42) reached = 1;\n        \
         else if (WEXITSTATUS(status) != 0) return 3;\n    }}\n    return reached;\n}}\n",
        1u32 << (3 * inputs)
    )
}
