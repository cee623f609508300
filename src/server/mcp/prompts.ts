import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { beginning } from './fit.ts';

/** A task for an assistant: one row each. */
type Prompt = { name: string; title: string; argument: string; about: string; task: string };

const prompts: readonly Prompt[] = [
  {
    name: 'check-claim',
    title: 'Check a claim / Vérifier une affirmation',
    argument: 'claim',
    about: 'what was said, and of whom or what',
    task: 'Check this claim with the tools search, record, ballots and changes. Quote what the records state, word for word, each with its source and day. Say which part is stated, which is contradicted, and which no record states. Judge nobody.',
  },
  {
    name: 'prepare-interview',
    title: 'Prepare an interview / Préparer un entretien',
    argument: 'person',
    about: 'name of a politician',
    task: 'Prepare an interview with this person: record for the profile, feed for promises, positions and quotes, affiliations for parties and groups, changes for what was edited or withdrawn, ballots with group for how their group voted. Give ten questions, each with the quotation, ballot or edit that it rests on, its source and its day.',
  },
  {
    name: 'follow-text',
    title: 'Follow a text / Suivre un texte',
    argument: 'text',
    about: 'name of a bill or law, or words of it',
    task: 'Follow this text: ballots with q, oldest first, for each the day, the result as stated and how groups voted (group); then search for what was said of it. Say what is not stated, and give every source.',
  },
];

/** Answers for prompts. */
export function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, title, argument, about }) => ({
      ...{ name, title, description: title },
      arguments: [{ name: argument, description: about, required: true }],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const found = prompts.find(({ name }) => name === params.name);
    const given = found && params.arguments?.[found.argument]?.trim();
    if (!found || !given) {
      const known = prompts.map(({ name, argument }) => `${name} (${argument})`).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The prompts and what each needs: ${known}.`);
    }
    const text = `${found.task}\nAnswer in the language of what follows.\n\n${found.argument}: ${beginning(given, 2000)}`;
    return {
      description: found.title,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    };
  });
}
