import { parties, party } from '../../questions/parties.ts';
import { listOrOneCommand } from '../question-command.ts';

export default listOrOneCommand(
  'list parties and parliamentary groups, or show one with its members and sources',
  parties,
  party,
);
