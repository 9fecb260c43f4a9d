import { NativeSelect } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { type ReactNode, use } from 'react';
import {
  DIFF_PRICES,
  MIN_PRICE_STRATEGIES,
  NON_COMPETITION_STRATEGIES,
  type RepricerAction,
  REPRICER_LIMITS,
  repricerProblems,
  type RepricerRule,
  STRATEGIES,
} from '#shared/repricer/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { entryOf, goneSource, MADE_BY_RULE, type PickerEntry } from '#client/fields/values/picker-groups.ts';
import { type NameWanted, PausedBanner, RuleHead } from '#client/fields/rule-list/rule-head.tsx';
import { CurrencyContext, useCatalogueMoney } from './currency-context.ts';
import { ExamplesContext } from './examples-context.ts';
import { Exclusions } from './exclusions.tsx';
import classes from './repricer.module.css';
import { germanPrice, usePriceGroups } from './price-groups.ts';
import { missingIn } from './rule-form.ts';

type RuleEditorProps = {
  rule: RepricerRule;
  /** A save was attempted: missing values are shown at their fields. */
  tried: boolean;
  /** Shown next to the switch: whether the rule was simulated. */
  trial: ReactNode;
  /** Shown below the limits' fields: what is wrong with them. */
  limitsNotice: ReactNode;
  mayEdit: boolean;
  nameWanted: NameWanted | null;
  sellerWanted: NameWanted | null;
  onChange: (rule: RepricerRule) => void;
};

/** REP-04: editor of a rule: the limits, the reaction to competitors, and the excluded sellers. */
export function RuleEditor(props: RuleEditorProps) {
  const { rule, tried, trial, limitsNotice, mayEdit, nameWanted, sellerWanted, onChange } = props;
  const { action } = rule;
  const problems = tried ? repricerProblems(rule) : [];
  const errorAt = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const set = (part: Partial<RepricerAction>) => onChange({ ...rule, action: { ...action, ...part } });
  return (
    <section className={`k-card ${classes.rulecard}`} aria-label="Repricing-Regel bearbeiten">
      <fieldset disabled={!mayEdit} className={classes.fields}>
        {!rule.active && <PausedBanner mayEdit={mayEdit} onActivate={() => onChange({ ...rule, active: true })} />}
        <RuleHead
          rule={rule}
          limits={REPRICER_LIMITS}
          name={{ error: errorAt('name') }}
          nameWanted={nameWanted}
          tools={null}
          onChange={(part) => onChange({ ...rule, ...part })}
        />
        {trial}
        <Missing rule={rule} />
        <Prices action={action} mayEdit={mayEdit} onChange={set} />
        {limitsNotice}
        <Strategies action={action} onChange={set} />
        <Exclusions
          action={action}
          errorAt={errorAt}
          sellerWanted={sellerWanted?.ruleId === rule.id ? sellerWanted : null}
          onChange={set}
        />
      </fieldset>
    </section>
  );
}

/** REP-13: shown as long as it is true; the notice of the save disappears after 5 seconds. */
function Missing({ rule }: { rule: RepricerRule }) {
  const missing = missingIn(rule);
  if (missing.length === 0) return null;
  return (
    <p className={classes.missing}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>Noch auszufüllen: {missing.join(', ')}. Bis dahin kann die Regel nur pausiert gespeichert werden.</span>
    </p>
  );
}

type PartProps = { action: RepricerAction; mayEdit: boolean; onChange: (part: Partial<RepricerAction>) => void };

const prices = [
  { member: 'min_price', label: 'Mindestpreis', hint: 'Darunter wird nie gesendet.' },
  { member: 'standard_price', label: 'Standardpreis', hint: 'Gilt, wo niemand zu unterbieten ist.' },
  { member: 'max_price', label: 'Maximalpreis', hint: 'Darüber wird nie gesendet.' },
] as const;

/** Which field of an item holds each limit, with an example value. */
function Prices({ action, mayEdit, onChange }: PartProps) {
  const groups = usePriceGroups();
  const examples = use(ExamplesContext);
  const currency = use(CurrencyContext);
  return (
    <div role="group" aria-label="Preise aus Feldern des Artikels" className={classes.prices}>
      {prices.map(({ member, label, hint }) => {
        const { value } = action[member];
        return (
          <div key={member} className={classes.price}>
            <span className={classes.caption} aria-hidden>
              {label}
            </span>
            <FieldPicker
              label={label}
              groups={groups}
              value={value}
              purpose={member}
              disabled={!mayEdit}
              hint={
                value === ''
                  ? hint
                  : (goneSource(groups, value) ?? exampleWords(examples.get(value), entryOf(groups, value), currency))
              }
              onChange={(entry) => onChange({ [member]: { type: '_field', value: entry.value } })}
            />
          </div>
        );
      })}
    </div>
  );
}

/** Returns an example value of a field; unless it is a plain import field, also its origin. */
function exampleWords(example: string | undefined, entry: PickerEntry | undefined, currency: string): string {
  const origin =
    entry?.type === '_mapping'
      ? 'aus einem Mapping'
      : entry?.note?.startsWith(MADE_BY_RULE) === true
        ? MADE_BY_RULE
        : '';
  const value = example === undefined ? 'Noch ohne Wert' : `Beispiel: ${germanPrice(example, currency)}`;
  return origin === '' ? value : `${value}, ${origin}`;
}

const chosen = { value: '', label: 'Bitte wählen' };
const optionsOf = (list: readonly { value: string | number; label: string }[]) =>
  list.map(({ value, label }) => ({ value: String(value), label }));
/** REP-07: 1 and 2 mean the two choices by position. */
const aloneOf = (value: string | number) =>
  (/^[12]$/.test(String(value)) ? NON_COMPETITION_STRATEGIES[Number(value) - 1]?.value : undefined) ?? String(value);
/** Normalizes '0.5' and 0.5 to the choice '0.50'. */
const differenceOf = (value: string | number) =>
  String(value).trim() === '' ? '' : (DIFF_PRICES.find((known) => Number(known) === Number(value)) ?? String(value));

function Strategies({ action, onChange }: Omit<PartProps, 'mayEdit'>) {
  const money = useCatalogueMoney();
  const differences = DIFF_PRICES.map((value, cents) => ({ value, label: money(cents) }));
  return (
    <div className={classes.strategies}>
      <NativeSelect
        label="Strategie"
        name="strategy"
        description="Woran sich Ihr Preis ausrichtet"
        value={String(action.strategy)}
        data={[chosen, ...optionsOf(STRATEGIES)]}
        onChange={({ currentTarget: { value } }) => onChange({ strategy: numberOr(value) })}
      />
      <NativeSelect
        label="Preisdifferenz"
        name="diff_price"
        description="So viel günstiger als das Ziel, samt Versand"
        value={differenceOf(action.diff_price)}
        data={[chosen, ...differences]}
        onChange={({ currentTarget: { value } }) => onChange({ diff_price: value })}
      />
      <NativeSelect
        label="Ohne Wettbewerb"
        name="non_competition_strategy"
        description="Wenn niemand sonst anbietet"
        value={aloneOf(action.non_competition_strategy)}
        data={optionsOf(NON_COMPETITION_STRATEGIES)}
        onChange={({ currentTarget: { value } }) => onChange({ non_competition_strategy: value })}
      />
      <NativeSelect
        label="Unter Mindestpreis"
        name="min_price_strategy"
        description="Wenn das Ziel Ihren Mindestpreis unterschreitet"
        value={String(action.min_price_strategy)}
        data={optionsOf(MIN_PRICE_STRATEGIES)}
        onChange={({ currentTarget: { value } }) => onChange({ min_price_strategy: numberOr(value) })}
      />
    </div>
  );
}

const numberOr = (value: string): number | '' => (value === '' ? '' : Number(value));
