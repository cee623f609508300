import type { FastifyInstance } from 'fastify';

/** The paths of every route that an application answers, as they were declared. */
export function routesOf(app: FastifyInstance): string[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, segment, methods] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      if (indent === undefined) return [];
      const depth = indent.length / 4;
      above.length = depth;
      above[depth] = segment!;
      return methods === undefined ? [] : [above.join('').replace(/^\/\//, '/')];
    });
}
