import type { FastifyInstance } from 'fastify';

/** The framework's application, or a part of it. */
export type App = FastifyInstance;
