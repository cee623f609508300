/** oclif's entry, bundled with the commands so that a start reads a few files and not a hundred. */
export { execute } from '@oclif/core';
