import { pairCard } from '../../format/pair-card.ts';
import { compare } from '../../questions/compare.ts';
import { groupsCommand } from '../question-command.ts';

export default groupsCommand(compare, pairCard);
