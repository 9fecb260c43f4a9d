import type { Feature } from '#platform/feature.ts';
import { imagesRunner, type ImageDeps } from './job.ts';
import { imageRoutes } from './routes.ts';

/** The look at pictures: all of a run by a job, those of a page while somebody waits. */
export const images: Feature<ImageDeps> = {
  name: 'images',
  routes: imageRoutes,
  jobs: (deps) => [imagesRunner(deps)],
};
