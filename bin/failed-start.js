const lossCodes = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT', 'EACCES'];

/** Prints which missing part kept the program from starting, and sets exit code 10; else throws the error. */
export function tellFailedStart(error) {
  const { message, hint } = reasonOf(error);
  const told = { error: { code: 'CONFIGURATION', message, hint, exit: 10 } };
  console.error(process.argv.includes('--json') ? JSON.stringify(told) : `Error: ${message}; ${hint}`);
  process.exitCode = 10;
}

function reasonOf(error) {
  if (/\bE[MN]FILE\b/.test(error.message))
    return {
      message: 'the limit of open files is reached',
      hint: 'raise it, for example with `ulimit -n 1024`',
    };
  if (!lossCodes.includes(error.code) && !(error instanceof SyntaxError)) throw error;
  const lost = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1] ?? error.path;
  return {
    message: `Hemicycle is not whole: ${lost ? `${lost} is missing` : error.message}`,
    hint: 'install it again, with its packages (`npm ci` in a clone)',
  };
}
