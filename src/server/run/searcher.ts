import process from 'node:process';
import { HemicycleError } from '../../errors.ts';
import { openMirror } from '../../store/open.ts';
import { type SearchQuestion, searchText } from '../search-text.ts';
import type { Found } from '../searchers.ts';

// The program of a process that searches one mirror for a server, until that has no more use for it.
const mirror = openMirror(process.argv[2]!);

process.on('message', (question: SearchQuestion) => process.send!(answerTo(question)));
process.on('disconnect', () => process.exit(0));

function answerTo(question: SearchQuestion): Found {
  try {
    return searchText(mirror, question);
  } catch (error) {
    const isForeseen = error instanceof HemicycleError;
    const failure = error instanceof Error ? (isForeseen ? error.message : error.stack) : undefined;
    return { failure: failure ?? String(error), isForeseen };
  }
}
