import type { FastifyInstance } from 'fastify';
import type { Figures } from '#platform/telemetry/database-figures.ts';
import type { JobRunner } from '#platform/jobs/job-definition.ts';
import type { LiveComponent } from '#platform/live-components/live-component.ts';

/**
 * One subject of the product, as listed in main.ts. `Needs`: its dependencies; the program passes the same to every feature, and
 * each declares only those it uses.
 */
export type Feature<Needs = unknown> = {
  readonly name: string;
  /** Registers the API calls of the subject. */
  readonly routes?: (app: FastifyInstance, deps: Needs) => void | Promise<void>;
  /** Server-rendered components of pages (LVC-01), found by their names, which are unique in the program. */
  readonly liveComponents?: (deps: Needs) => readonly LiveComponent[];
  /** Runners of the subject's jobs; created before the queue in which they run. */
  readonly jobs?: (deps: Omit<Needs, 'jobs'>) => readonly JobRunner[];
  /** Figures that are counted in its tables for the operator's monitoring. */
  readonly figures?: readonly Figures[];
  /** Starts work that no request or job starts; returns a function that stops it. Not called in a process that only serves. */
  readonly start?: (deps: Needs) => () => Promise<void>;
};
