import type { Feature } from '#platform/feature.ts';
import { imagesRunner } from './job.ts';
import { imageRoutes, type ImageRouteDeps } from './routes.ts';

/** Checks pictures, those of a run in a job and those of a page during the request, and shows them. */
export const images: Feature<ImageRouteDeps> = {
  name: 'images',
  routes: imageRoutes,
  jobs: (deps) => [imagesRunner(deps)],
};
