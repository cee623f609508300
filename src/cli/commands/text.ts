import { text } from '../../questions/text.ts';
import { createBallotRenderer } from '../../terminal/ballot-view.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(text, {
  takesName: true,
  blocks() {
    const block = createBallotRenderer();
    return ({ subject, title, ...ballot }, terminal) => block({ ...ballot, title: subject ?? title ?? null }, terminal);
  },
});
