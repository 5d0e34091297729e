// What `getopt` says follows from the arguments, and so does where `optarg` points.
//~ valid-deref holds
//? valid-deref a function of the library without a model
extern char *optarg;
int getopt(int argc, char *const argv[], const char *options);
int main(int argc, char **argv) {
  if (getopt(argc, argv, "b:") == 'b')
    return optarg[0];
  return 0;
}
