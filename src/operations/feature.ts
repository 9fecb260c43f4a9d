import type { Feature } from '#platform/feature.ts';
import { NOT_URGENT_MS, WorkLoops } from '#platform/work-loops.ts';
import { deleteDueCompanies } from './company-data/deletion.ts';
import { backupFigures } from './backup/backup-figures.ts';
import { type CompanyExportDeps, companyExportRunner } from './company-data/export-job.ts';
import { companyDataRoutes, type CompanyDataDeps } from './company-data/routes.ts';
import { operationRoutes, type OperationDeps } from './routes.ts';
import { purgeRunner } from './trash/purge.ts';
import { trashRoutes, type TrashDeps } from './trash/routes.ts';

/** The operator's view of the installation, and each company's trash, data export and deletion. */
export const operations: Feature<OperationDeps & TrashDeps & CompanyDataDeps & CompanyExportDeps> = {
  name: 'operations',
  routes: (app, deps) => {
    operationRoutes(app, deps);
    trashRoutes(app, deps);
    companyDataRoutes(app, deps);
  },
  jobs: (deps) => [companyExportRunner(deps), purgeRunner(deps)],
  figures: [backupFigures],
  start: (deps) => {
    const loops = new WorkLoops({ ...deps, failure: 'a company could not be deleted', settleMs: NOT_URGENT_MS });
    loops.start([() => deleteDueCompanies(deps)]);
    return () => loops.close();
  },
};
