import { topics } from '../../questions/topics.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(topics);
