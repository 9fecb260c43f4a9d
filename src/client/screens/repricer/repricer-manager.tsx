import { formatInteger } from '#client/ui/text/formats.ts';
import { useMemo, useState } from 'react';
import { pages } from '#shared/pages.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { isAt } from '#client/address.ts';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { UnknownEntry } from '#client/fields/rule-list/unknown-entry.tsx';
import { FieldsProvider } from '#client/fields/values/fields-context.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { LimitsDialog } from '#client/fields/limits/limits-dialog.tsx';
import { useMay } from '#client/shell/session.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { UndoButtons } from '#client/editor/undo/undo-buttons.tsx';
import { Breakers } from '#client/screens/repricer/control/breakers.tsx';
import { useMarketplaceCurrency } from '#client/marketplaces.ts';
import { CurrencyContext, currencyOf } from './currency-context.ts';
import { ExamplesContext } from './examples-context.ts';
import { FieldsNotice } from './fields-notice.tsx';
import { MovedLimitsNotice } from '#client/screens/repricer/control/changed-price-bounds.tsx';
import { NoRules } from './no-rules.tsx';
import type { LoadedRepricer } from './repricer.tsx';
import { documentOf } from './repricer-path.ts';
import classes from './repricer.module.css';
import { ItemAlarms } from '#client/screens/repricer/control/item-alarms.tsx';
import { nameOf, repricerShape, unsavedRules } from './rule-form.ts';
import { RuleList } from './rule-list.tsx';
import { RuleWork } from './rule-work.tsx';
import { SwitchCard } from '#client/screens/repricer/control/switch-card.tsx';
import { type Repricer, useRepricer } from './use-repricer.ts';
import { useSimulatedRules } from '#client/screens/repricer/simulation/simulated-rules.ts';
import { useSwitches } from '#client/screens/repricer/control/use-switches.ts';

/** REP: the list of repricing rules, the editor of the selected one, its simulation, and whether prices are sent. */
export function RepricerManager({ loaded }: { loaded: LoadedRepricer }) {
  const { masterid, fields, mappings, examples, marketplace } = loaded;
  const form = useRepricer(loaded);
  const { draft: rules, stored: saved, dirty, steps } = form.editor;
  const switches = useSwitches(masterid, loaded.state, saved);
  const simulated = useSimulatedRules(masterid, loaded.simulated);
  const mayEdit = useMay('prices');
  const { failure } = form;
  const rule = rules.find(({ id }) => id === form.selected) ?? rules[0];
  const known = useMemo(() => new Map(examples), [examples]);
  const currency = currencyOf(loaded.marketplaces.map(useMarketplaceCurrency()));
  const facts = {
    running: saved.some((one) => one.active && isComplete(one)),
    sold: loaded.marketplaces.length > 0,
  };
  const mayRetry = failure?.title === 'Fehler beim Speichern' && dirty;
  return (
    <FieldsProvider fields={fields} extra={mappings}>
      <CurrencyContext value={currency}>
        <ExamplesContext value={known}>
          <div className={`k-stack ${classes.page}`}>
            <PageHeader
              title="Repricer"
              lead="Die erste aktive, vollständige Regel, die für einen Artikel gilt, bestimmt seinen Preis. Die Liste läuft von oben nach unten."
              actions={
                <>
                  {mayEdit && rules.length > 0 && <UndoButtons {...steps} />}
                  <HistoryLink {...documentOf(masterid)} />
                </>
              }
            />
            <Breakers masterid={masterid} switches={switches} mayEdit={mayEdit} />
            <ItemAlarms masterid={masterid} switches={switches} mayEdit={mayEdit} />
            <MovedLimitsNotice masterid={masterid} switches={switches} mayEdit={mayEdit} />
            <FieldsNotice masterid={masterid} fields={switches.state.fields} />
            <SwitchCard switches={switches} facts={facts} mayEdit={mayEdit} place={{ masterid, marketplace }} />
            <ScrollIntoView of={failure}>
              <ErrorNotice
                failure={failure}
                onClose={form.closeFailure}
                {...(mayRetry ? { onRetry: () => void form.editor.save() } : {})}
              />
            </ScrollIntoView>
            <UnknownEntry what="Die Repricing-Regel" wanted={form.selected} entries={rules} />
            {rule === undefined ? (
              <NoRules
                active={switches.state.active}
                place={{ masterid, marketplace }}
                onAdd={mayEdit ? form.add : undefined}
              />
            ) : (
              <Workspace {...{ form, rule, masterid, mayEdit, simulated }} />
            )}
            <Saving form={form} masterid={masterid} always={mayEdit && rule !== undefined} />
          </div>
        </ExamplesContext>
      </CurrencyContext>
    </FieldsProvider>
  );
}

type WorkspaceProps = {
  form: Repricer;
  rule: RepricerRule;
  masterid: string;
  mayEdit: boolean;
  simulated: ReturnType<typeof useSimulatedRules>;
};

function Workspace({ form, rule, masterid, mayEdit, simulated }: WorkspaceProps) {
  const [pending, setPending] = useState<RepricerRule | null>(null);
  const { draft: rules, stored } = form.editor;
  const unsaved = useMemo(() => new Set(unsavedRules(stored, rules).map(({ id }) => id)), [stored, rules]);
  return (
    <div className={classes.columns}>
      <RuleList
        masterid={masterid}
        rules={rules}
        selected={rule.id}
        unsaved={unsaved}
        mayEdit={mayEdit}
        onSelect={form.select}
        onOrder={(ids) => void form.order(ids)}
        onAdd={form.add}
        onCopy={() => form.copy(rule)}
        onDelete={() => setPending(rule)}
      />
      <div className={classes.work}>
        <RuleWork
          key={rule.id}
          masterid={masterid}
          rule={rule}
          saveTried={form.tried.has(rule.id)}
          simulated={simulated}
          mayEdit={mayEdit}
          nameWanted={form.nameWanted}
          sellerWanted={form.sellerWanted}
          onChange={form.change}
        />
      </div>
      <ConfirmDialog
        opened={pending !== null}
        question="Ausgewählte Repricing-Regel wirklich löschen?"
        confirm="Löschen"
        danger
        onClose={() => setPending(null)}
        onConfirm={async () => {
          if (pending !== null) await form.remove(pending);
          setPending(null);
        }}
      >
        „{pending === null ? '' : nameOf(pending)}“{' '}
        {stored.some(({ id }) => id === pending?.id)
          ? 'wird sofort gelöscht. Im Verlauf bleibt sie und lässt sich zurückholen.'
          : neverSaved}
      </ConfirmDialog>
    </div>
  );
}

const neverSaved = 'wurde noch nicht gespeichert und verschwindet ganz; im Verlauf steht sie nicht.';

/** The parts around a save: the bar, the guard before leaving, and the question if somebody else saved first. */
function Saving({ form, masterid, always }: { form: Repricer; masterid: string; always: boolean }) {
  const { dirty, changes, save } = form.editor;
  return (
    <>
      <SaveBar
        dirty={dirty}
        always={always}
        count={changes}
        busy={form.busy}
        saveLabel={changes > 1 ? `${formatInteger(changes)} Regeln speichern` : 'Regel speichern'}
        onSave={() => void save()}
        onDiscard={form.discard}
      />
      <DocumentGuard
        editor={form.editor}
        shape={repricerShape}
        onResolve={form.resolve}
        staysInForm={(pathname) => isAt(pathname, pages.repricer, { masterid })}
      />
      <LimitsDialog pending={form.limits} />
    </>
  );
}
