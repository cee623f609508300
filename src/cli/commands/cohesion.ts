import { cohesion } from '../../questions/cohesion.ts';
import { groupsCommand } from '../question-command.ts';

export default groupsCommand(cohesion);
