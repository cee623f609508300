import { affiliations } from '../../questions/affiliations.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(affiliations);
