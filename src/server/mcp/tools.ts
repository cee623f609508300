import { commandFeed } from '../../questions/feed.ts';
import type { Parameter, Parameters, Schema } from '../../questions/parameter.ts';
import { filter, integerParameter } from '../../questions/parameter-kinds.ts';
import type { Question } from '../../questions/question.ts';
import { kindNames, record } from '../../questions/record.ts';
import { questions } from '../../questions/table.ts';
import { sentence } from '../operations.ts';
import { asOfParameter } from '../question-routes.ts';
import toolOffers from './tools.json' with { type: 'json' };

/** Parameters of the tool `record` that continue a truncated text or list. */
export const continuationParameters = {
  field: filter('one field, read on where an answer cut it: text, quotes, bio'),
  from: integerParameter('position in it', { minimum: 0 }),
};

/** How a tool differs from its question; `tools.json` has one entry per tool. */
type ToolOffer = {
  /** Parameters whose descriptions would cost more tokens than they are worth. */
  omittedParameters?: string[];
  descriptionSuffix?: string;
  /** Values of omitted parameters. */
  fixedValues?: Record<string, unknown>;
  /** Shorter descriptions by parameter; an empty one omits the description. */
  shortDescriptions?: Record<string, string>;
  /** Fields of list items that only the tool `record` returns. */
  omittedFields?: readonly string[];
  /** Where to find the sources if results do not name them. */
  sourceNote?: string;
};

/** An MCP tool: a question with its offered parameters and `as_of`. */
export type Tool = ToolOffer & { name: string; description: string; question: Question; parameters: Parameters };

/** Questions by name; `feed` is the command-line feed, which includes quotes and speeches. */
const questionsByName = new Map<string, Question>([...questions, commandFeed].map((each) => [each.name, each]));

/** All tools; questions of little use to a model are omitted, since each costs tokens. */
export const tools: readonly Tool[] = Object.entries<ToolOffer>(toolOffers).map(([name, offer]) => {
  const { omittedParameters = [], descriptionSuffix } = offer;
  const question = questionsByName.get(name)!;
  const offeredParameters = Object.entries(question.parameters).filter(([each]) => !omittedParameters.includes(each));
  const extraParameters = question === record ? continuationParameters : {};
  const summary = sentence(question.summary);
  return {
    ...offer,
    name,
    question,
    description: descriptionSuffix === undefined ? summary : `${summary} ${descriptionSuffix}`,
    parameters: { ...Object.fromEntries(offeredParameters), ...extraParameters, as_of: asOfParameter },
  };
});

/** The instructions describe these parameters once for all tools. */
const commonParameters = new Set(['limit', 'cursor', 'as_of', 'since', 'until', 'subject']);

/** Returns the `tools/list` entry of a tool, without an output schema, which would be the same for all. */
export function toolListEntry({ name, description, parameters, shortDescriptions }: Tool) {
  // `key` accepts a reference that includes the kind, so `kind` is not offered.
  const entries = Object.entries(parameters).filter(([each]) => each !== 'kind' || !('key' in parameters));
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([each]) => each);
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        entries.map(([each, parameter]) => [each, schemaOf(each, parameter, shortDescriptions?.[each])]),
      ),
      ...(required.length > 0 ? { required } : {}),
    },
    annotations: { title: `Hemicycle: ${name}`, readOnlyHint: true, openWorldHint: false },
  };
}

/** Returns the schema of a parameter, with a description unless the instructions, the enum or the name say it all. */
function schemaOf(name: string, { schema, description }: Parameter, shortDescription?: string): Schema {
  const reducedSchema = reduceSchema(schema);
  if (!shortDescription && (commonParameters.has(name) || hasEnum(reducedSchema))) return reducedSchema;
  const shownDescription = shortDescription ?? description;
  return ['', name].includes(shownDescription) ? reducedSchema : { ...reducedSchema, description: shownDescription };
}

/** True if the schema lists its allowed values, which then need no description. */
const hasEnum = ({ items, ...schema }: Schema) => 'enum' in ((items as Schema | undefined) ?? schema);

/** Returns a schema without bounds, which errors state, and without the list of kinds, which descriptions name. */
function reduceSchema({ type, enum: values, items }: Schema): Schema {
  const retainsEnum = values !== undefined && JSON.stringify(values) !== JSON.stringify(kindNames);
  return { type, ...(retainsEnum && { enum: values }), ...(items ? { items: reduceSchema(items as Schema) } : {}) };
}
