import type { Feature } from '#platform/feature.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { feedRoutes } from './feed-routes.ts';
import { uploadRunner } from './upload-job.ts';
import { uploadRoutes, type UploadRouteDeps } from './upload-routes.ts';

/** How a file reaches the channel: an address to fetch it from, or upload to a server. */
export const delivery: Feature<UploadRouteDeps & { storagePaths: StoragePaths }> = {
  name: 'delivery',
  routes: (app, deps) => {
    feedRoutes(app, deps);
    uploadRoutes(app, deps);
  },
  jobs: (deps) => [uploadRunner(deps)],
};
