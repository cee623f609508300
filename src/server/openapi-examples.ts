import { exampleIn } from '../questions/examples.ts';
import { questions } from '../questions/table.ts';
import type { Mirror } from '../store/mirror.ts';

type DescribedParameter = { name: string; example?: unknown };

/** `paths` of an OpenAPI document, as far as examples are concerned. */
export type DescribedPaths = Record<string, { get?: { parameters?: DescribedParameter[] } }>;

/**
 * The paths with parameter examples from this mirror, so that trying one out finds a record. The examples of
 * the parameters themselves are fictional.
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
