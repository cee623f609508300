import { contradictions } from '../../questions/contradictions.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(contradictions);
