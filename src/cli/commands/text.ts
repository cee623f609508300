import { text } from '../../questions/text.ts';
import { ballotBlocks } from '../../terminal/ballot-view.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(text, {
  takesName: true,
  blocks() {
    const block = ballotBlocks();
    return ({ subject, title, ...ballot }, terminal) => block({ ...ballot, title: subject ?? title ?? null }, terminal);
  },
});
