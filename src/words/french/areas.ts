// Every area of the program with its French texts; `export` is a reserved word, but a valid name of an export.
export { default as cli } from './cli.json' with { type: 'json' };
export { default as errors } from './errors.json' with { type: 'json' };
export { default as evidence } from './evidence.json' with { type: 'json' };
export { default as export } from './export.json' with { type: 'json' };
export { default as names } from './names.json' with { type: 'json' };
export { default as questions } from './questions.json' with { type: 'json' };
export { default as server } from './server.json' with { type: 'json' };
export { default as service } from './service.json' with { type: 'json' };
export { default as store } from './store.json' with { type: 'json' };
export { default as sync } from './sync.json' with { type: 'json' };
export { default as terminal } from './terminal.json' with { type: 'json' };
export { default as watches } from './watches.json' with { type: 'json' };
export { default as words } from './words.json' with { type: 'json' };
