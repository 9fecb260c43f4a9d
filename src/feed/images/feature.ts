import type { Feature } from '#platform/feature.ts';
import { imagesRunner } from './job.ts';
import { imageRoutes, type ImageRouteDeps } from './routes.ts';

/** The look at pictures: all of a run by a job, those of a page while somebody waits; and their showing. */
export const images: Feature<ImageRouteDeps> = {
  name: 'images',
  routes: imageRoutes,
  jobs: (deps) => [imagesRunner(deps)],
};
