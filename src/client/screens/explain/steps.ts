import type { ExplainedRule, ExplainedStage, ExplainedTable, Explanation } from '#shared/explain/schema.ts';

export type StageOf<K extends ExplainedStage['kind']> = Extract<ExplainedStage, { kind: K }>;

/** Returns the stage of a kind; undefined if the explanation does not reach it. */
export function stageOf<K extends ExplainedStage['kind']>(
  { stages }: Pick<Explanation, 'stages'>,
  kind: K,
): StageOf<K> | undefined {
  return stages.find((stage): stage is StageOf<K> => stage.kind === kind);
}

/** Tells whether a rule changed what is explained. A calculation that failed counts as well. */
export function hasEffect({ state, excluded, changes, concerns }: ExplainedRule): boolean {
  if (state !== 'held' || !concerns) return false;
  return (
    excluded || changes.some((change) => change.concerns && (change.before !== change.after || change.notCalculated))
  );
}

/** Rules in order: one with an effect alone, others between them folded. */
export type RuleGroup = { kind: 'rule'; rule: ExplainedRule } | { kind: 'fold'; rules: readonly ExplainedRule[] };

export function groupsOf(rules: readonly ExplainedRule[]): RuleGroup[] {
  const groups: RuleGroup[] = [];
  let folded: ExplainedRule[] = [];
  const close = () => {
    if (folded.length > 0) groups.push({ kind: 'fold', rules: folded });
    folded = [];
  };
  for (const rule of rules) {
    // Rules after the one that excluded the item get a fold of their own.
    if (folded[0] !== undefined && (rule.state === 'not_reached') !== (folded[0].state === 'not_reached')) close();
    if (!hasEffect(rule)) {
      folded.push(rule);
      continue;
    }
    close();
    groups.push({ kind: 'rule', rule });
  }
  close();
  return groups;
}

/** One station on the path of a value, for the picture above the stages; `anchor` links to its card. */
export type Station = {
  key: string;
  anchor: string;
  title: string;
  field: string;
  value: string | null;
  failed: boolean;
  /** True for a raw value. */
  source: boolean;
};

export const ruleAnchor = ({ scope, number }: Pick<ExplainedRule, 'scope' | 'number'>): string =>
  `${scope === 'master' ? 'master' : 'export'}-regel-${number}`;

const mostRaw = 3;

/** Returns the path of the explained field's value: raw values, the result of each rule, the export field. */
export function stationsOf(explanation: Explanation): Station[] {
  const { field, export: exported } = explanation;
  if (field === null || field.kind === 'unknown') return [];
  const used = field.raw.filter((source) => source.used);
  const raw = (used.length > 0 ? used : field.raw).slice(0, mostRaw).map((source) => ({
    key: `roh-${source.field}`,
    anchor: 'stufe-import',
    title: 'Rohwert',
    ...source,
    field: source.field === '_id' ? 'Artikelnummer' : source.field,
    failed: false,
    source: true,
  }));
  const changes = [
    ...ruleStations(stageOf(explanation, 'masterRules')?.rules ?? []),
    ...tableStations('stufe-mappings', stageOf(explanation, 'mappings')?.tables ?? []),
    ...stockStations(stageOf(explanation, 'stock')),
    ...ruleStations(stageOf(explanation, 'exportRules')?.rules ?? []),
    ...tableStations('stufe-zuordnungen', stageOf(explanation, 'tables')?.tables ?? []),
  ];
  const excluding = explanation.excludedBy;
  const last =
    exported !== null && field.kind === 'export' && excluding === null
      ? [
          {
            key: 'feldaufbau',
            anchor: 'stufe-feldaufbau',
            title: 'Feldaufbau',
            field: field.name,
            value: field.value,
            failed: false,
            source: false,
          },
        ]
      : [];
  return [...raw, ...changes, ...last];
}

function ruleStations(rules: readonly ExplainedRule[]): Station[] {
  return rules
    .filter((rule) => hasEffect(rule) && !rule.excluded)
    .flatMap((rule) =>
      rule.changes
        .filter((change) => change.concerns && (change.before !== change.after || change.notCalculated))
        .map((change) => ({
          key: `${ruleAnchor(rule)}-${change.field}`,
          anchor: ruleAnchor(rule),
          title: rule.name.trim() === '' ? `Regel ${rule.number}` : rule.name,
          field: change.field,
          value: change.after,
          failed: change.notCalculated && change.before === change.after,
          source: false,
        })),
    );
}

function stockStations(stage: StageOf<'stock'> | undefined): Station[] {
  if (stage?.concerns !== true) return [];
  const { name, value } = stage;
  return [
    { key: 'bestand', anchor: 'stufe-bestand', title: 'Bestand', field: name, value, failed: false, source: false },
  ];
}

function tableStations(anchor: string, tables: readonly ExplainedTable[]): Station[] {
  return tables
    .filter(({ concerns, row }) => concerns && row !== null)
    .map(({ kind, name, results }) => ({
      key: `${anchor}-${name}`,
      anchor,
      title: kind === 'mapping' ? 'Mapping' : 'Zuordnung',
      field: name,
      value: results[0]?.value ?? null,
      failed: false,
      source: false,
    }));
}
