import { catalogue } from '#catalogue/feature.ts';
import { company } from '#company/feature.ts';
import { assignmentEditing } from '#feed/assignment-editing/feature.ts';
import { attributeEditing } from '#feed/attribute-editing/feature.ts';
import { constructionEditing } from '#feed/construction-editing/feature.ts';
import { delivery } from '#feed/delivery/feature.ts';
import { diagnosis } from '#feed/diagnosis/feature.ts';
import { difference } from '#feed/difference/feature.ts';
import { explain } from '#feed/explain/feature.ts';
import { exports } from '#feed/export/feature.ts';
import { history } from '#feed/history/feature.ts';
import { images } from '#feed/images/feature.ts';
import { impact } from '#feed/impact/feature.ts';
import { imports } from '#feed/import/feature.ts';
import { masters } from '#feed/masters/feature.ts';
import { ruleEditing } from '#feed/rule-editing/feature.ts';
import { runs } from '#feed/runs/feature.ts';
import { schedule } from '#feed/schedule/feature.ts';
import { search } from '#feed/search/feature.ts';
import { suggestions } from '#feed/suggestions/feature.ts';
import { targets } from '#feed/targets/feature.ts';
import { transfer } from '#feed/transfer/feature.ts';
import { live } from '#live/feature.ts';
import { marketplaceAccounts } from '#marketplaces/accounts/feature.ts';
import { amazon } from '#marketplaces/amazon/kind.ts';
import { notifications } from '#notifications/feature.ts';
import type { Config } from '#platform/config.ts';
import { orders } from '#orders/feature.ts';
import { operations } from '#operations/feature.ts';
import { repricer } from '#repricer/feature.ts';
import { type Kontor, type Program, type StartOptions, startProgram } from './start.ts';

/** The parts of this program; tests add to them. */
export const program: Program = {
  features: [
    company,
    masters,
    history,
    search,
    imports,
    runs,
    catalogue,
    ruleEditing,
    repricer,
    orders,
    marketplaceAccounts,
    impact,
    assignmentEditing,
    targets,
    suggestions,
    constructionEditing,
    attributeEditing,
    difference,
    delivery,
    transfer,
    notifications,
    live,
    schedule,
    exports,
    operations,
    diagnosis,
    images,
    explain,
  ],
  connectors: [amazon],
};

/** Starts the program with these settings; resolves when it can answer requests. */
export const startKontor = (config: Config, options: StartOptions = {}): Promise<Kontor> =>
  startProgram(program, config, options);

// Started by itself, it runs the program as well, only without the database's head start.
if (import.meta.main) void import('./run.ts');
