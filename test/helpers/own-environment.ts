/** What whoever runs the tests has set, for programs that go to the network for them. */
export const environmentGiven = { ...process.env };

/** Settings of the program, and what changes what it says and whom it asks: a test states its own. */
const read =
  /^(HEMICYCLE_(?!PROGRAM|PACKAGES|FORMER_DEB|SEED)|FEATURE_|XDG_|AWS_|PG|LC_|LANG|\w+_PROXY$|SOURCE_DATE_EPOCH|(FORCE_|NO_|CLI)COLOR|PAGER|DEBUG|NODE_ENV)/i;

for (const name of Object.keys(process.env)) if (read.test(name)) delete process.env[name];

// What is made here is for all users to read, where nothing else is said.
process.umask(0o022);
