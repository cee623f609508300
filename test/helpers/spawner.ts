import { runToEnd, type Start } from './run-to-end.ts';

process.on('message', async ({ id, start }: { id: number; start: Start }) => {
  const result = await runToEnd(start);
  // The tests may have ended meanwhile.
  if (process.connected) process.send!({ id, result });
});

process.on('disconnect', () => process.exit());
