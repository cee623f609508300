import { exampleIn } from '../questions/examples.ts';
import { questions } from '../questions/table.ts';
import type { Mirror } from '../store/mirror.ts';

type DescribedParameter = { name: string; example?: unknown };

/** The paths of a description: what is asked with GET at each, and with which parameters. */
export type DescribedPaths = Record<string, { get?: { parameters?: DescribedParameter[] } }>;

/**
 * The paths with examples that this mirror answers: whoever tries one out shall see a record, not that there is none of the
 * fictional name that stands in the description of the parameter.
 */
export function withExamples(paths: DescribedPaths, mirror: Mirror): DescribedPaths {
  const described = { ...paths };
  for (const question of questions) {
    const path = `/api/v1${question.path}`;
    const { get, ...methods } = paths[path] ?? {};
    if (!get?.parameters) continue;
    const parameters = get.parameters.map((parameter) => {
      const { name, example, ...rest } = parameter;
      const found = name in question.parameters ? exampleIn(mirror, question, name) : undefined;
      if (found === undefined) return parameter;
      if (found === null) return { name, ...rest };
      return { name, ...rest, example: Array.isArray(example) ? found.split(',') : found };
    });
    described[path] = { ...methods, get: { ...get, parameters } };
  }
  return described;
}
