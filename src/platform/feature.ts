import type { FastifyInstance } from 'fastify';
import type { Figures } from '#platform/telemetry/database-figures.ts';
import type { JobRunner } from '#platform/jobs/job-definition.ts';
import type { LiveComponent } from '#platform/live-components/live-component.ts';

/**
 * One subject of the product, as main.ts lists it. `Needs` is what it works with; the program gives every feature the same,
 * and each names only what it reads.
 */
export type Feature<Needs = unknown> = {
  readonly name: string;
  /** Adds the calls that the subject answers. */
  readonly routes?: (app: FastifyInstance, deps: Needs) => void | Promise<void>;
  /** Pieces of pages that the server draws (LVC-01); found by their names, which are one in the whole program. */
  readonly liveComponents?: (deps: Needs) => readonly LiveComponent[];
  /** What does the subject's jobs; made before the queue that they run in. */
  readonly jobs?: (deps: Omit<Needs, 'jobs'>) => readonly JobRunner[];
  /** What of it is counted in the tables for whoever watches the installation. */
  readonly figures?: readonly Figures[];
  /** Begins work that no request and no job asks for; gives how it is ended. Not called in a process that only serves. */
  readonly start?: (deps: Needs) => () => Promise<void>;
};
