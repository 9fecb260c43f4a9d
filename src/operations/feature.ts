import type { Feature } from '#platform/feature.ts';
import { operationRoutes, type OperationDeps } from './routes.ts';

/** What the operator of an installation sees and does. */
export const operations: Feature<OperationDeps> = { name: 'operations', routes: operationRoutes };
