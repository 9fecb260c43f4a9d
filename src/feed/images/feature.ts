import type { Feature } from '#platform/feature.ts';
import { imagesRunner, type ImageDeps } from './job.ts';

/** The look at pictures. */
export const images: Feature<ImageDeps> = {
  name: 'images',
  jobs: (deps) => [imagesRunner(deps)],
};
