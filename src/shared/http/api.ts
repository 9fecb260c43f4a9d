import { accountCalls } from '#shared/account/calls.ts';
import { assignmentCalls } from '#shared/assignments/calls.ts';
import { attributeCalls } from '#shared/attributes/calls.ts';
import type { Call } from './call.ts';
import { channelCalls } from '#shared/channels/calls.ts';
import { companyDataCalls } from '#shared/operations/company-data.ts';
import { constructionCalls } from '#shared/construction/calls.ts';
import { diagnosisCalls } from '#shared/diagnosis/calls.ts';
import { differenceCalls } from '#shared/difference/calls.ts';
import { explainCalls } from '#shared/explain/calls.ts';
import { exportCalls } from '#shared/exports/calls.ts';
import { historyCalls } from '#shared/history/calls.ts';
import { importUploadCalls } from '#shared/import/upload-calls.ts';
import { itemCalls } from '#shared/items/calls.ts';
import { marketplaceAccountCalls } from '#shared/marketplace-accounts/calls.ts';
import { masterCalls } from '#shared/masters/calls.ts';
import { notifyCalls } from '#shared/notifications/calls.ts';
import { operationCalls } from '#shared/operations/calls.ts';
import { orderCalls } from '#shared/orders/calls.ts';
import { quotaCalls } from '#shared/operations/quotas.ts';
import { repricerCalls } from '#shared/repricer/calls.ts';
import { repricerDashboardCalls } from '#shared/repricer/dashboard-calls.ts';
import { ruleCalls } from '#shared/rules/calls.ts';
import { runCalls } from '#shared/runs/calls.ts';
import { savedViewCalls } from '#shared/saved-views/calls.ts';
import { securityLogCalls } from '#shared/account/security-log.ts';
import { scheduleCalls } from '#shared/schedule/calls.ts';
import { searchCalls } from '#shared/search/calls.ts';
import { stockCalls } from '#shared/stock/calls.ts';
import { statusCalls } from '#shared/live/calls.ts';
import { liveComponentCalls } from '#shared/live/component-calls.ts';
import { targetCalls } from '#shared/targets/calls.ts';
import { transferCalls } from '#shared/transfer/calls.ts';
import { trashCalls } from '#shared/operations/trash.ts';
import { uploadCalls } from '#shared/upload/calls.ts';
import { workbookCalls } from '#shared/workbook/calls.ts';

/** All calls of the API. Paths and property names of the specification's calls are the specification's. */
export const api = {
  ...accountCalls,
  ...securityLogCalls,
  ...masterCalls,
  ...runCalls,
  ...itemCalls,
  ...ruleCalls,
  ...operationCalls,
  ...orderCalls,
  ...quotaCalls,
  ...repricerCalls,
  ...repricerDashboardCalls,
  ...assignmentCalls,
  ...channelCalls,
  ...companyDataCalls,
  ...constructionCalls,
  ...attributeCalls,
  ...diagnosisCalls,
  ...exportCalls,
  ...differenceCalls,
  ...explainCalls,
  ...historyCalls,
  ...importUploadCalls,
  ...liveComponentCalls,
  ...marketplaceAccountCalls,
  ...notifyCalls,
  ...savedViewCalls,
  ...scheduleCalls,
  ...searchCalls,
  ...statusCalls,
  ...stockCalls,
  ...targetCalls,
  ...transferCalls,
  ...trashCalls,
  ...uploadCalls,
  ...workbookCalls,
} as const satisfies Record<string, Call>;
