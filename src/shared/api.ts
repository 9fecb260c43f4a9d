import { accountCalls } from './account-calls.ts';
import { assignmentCalls } from './assignment-calls.ts';
import { attributeCalls } from './attribute-calls.ts';
import type { Call } from './call.ts';
import { channelCalls } from './channel-calls.ts';
import { constructionCalls } from './construction-calls.ts';
import { diagnosisCalls } from './diagnosis-calls.ts';
import { differenceCalls } from './difference-calls.ts';
import { explainCalls } from './explain-calls.ts';
import { exportCalls } from './export-calls.ts';
import { historyCalls } from './history-calls.ts';
import { itemCalls } from './item-calls.ts';
import { marketplaceAccountCalls } from './marketplace-account-calls.ts';
import { masterCalls } from './master-calls.ts';
import { notifyCalls } from './notify-calls.ts';
import { repricerCalls } from './repricer-calls.ts';
import { repricerDashboardCalls } from './repricer-dashboard-calls.ts';
import { ruleCalls } from './rule-calls.ts';
import { runCalls } from './run-calls.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { searchCalls } from './search-calls.ts';
import { statusCalls } from './status-calls.ts';
import { targetCalls } from './target-calls.ts';
import { transferCalls } from './transfer-calls.ts';
import { uploadCalls } from './upload-calls.ts';

/** Every call of the wire. Paths and property names of the specification's calls are the specification's. */
export const api = {
  ...accountCalls,
  ...masterCalls,
  ...runCalls,
  ...itemCalls,
  ...ruleCalls,
  ...repricerCalls,
  ...repricerDashboardCalls,
  ...assignmentCalls,
  ...channelCalls,
  ...constructionCalls,
  ...attributeCalls,
  ...diagnosisCalls,
  ...exportCalls,
  ...differenceCalls,
  ...explainCalls,
  ...historyCalls,
  ...marketplaceAccountCalls,
  ...notifyCalls,
  ...scheduleCalls,
  ...searchCalls,
  ...statusCalls,
  ...targetCalls,
  ...transferCalls,
  ...uploadCalls,
} as const satisfies Record<string, Call>;
