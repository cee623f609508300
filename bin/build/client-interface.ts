await import('./guide.ts');
await import('./saved-questions.ts');
const { writeClientInterface } = await import('../../src/server/client-interface.ts');

await writeClientInterface('src/client/interface.ts');

export {};
