import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { call } from '#client/call.ts';
import { EffectPanel } from '#client/screens/rules/effect/effect-panel.tsx';
import { MetItems } from '#client/screens/rules/effect/met-items.tsx';
import { RuleEditor, type RuleEditorProps } from '#client/screens/rules/form/rule-editor.tsx';
import type { RuleScope } from './rule-scope.ts';
import classes from './rules.module.css';
import { Statistics } from '#client/screens/rules/statistics/statistics.tsx';
import { useLive } from '#client/use-live.ts';
import { useStatistics } from '#client/screens/rules/statistics/use-statistics.ts';

type RuleWorkspaceProps = Omit<RuleEditorProps, 'effect'> & {
  scope: RuleScope;
  masterid: string;
  rules: readonly Rule[];
  /** The rules without changes that do not affect their result. */
  computed: readonly Rule[];
  /** Without items there is nothing to compute. */
  hasItems: boolean;
};

/** One rule: its editor, its effect while it is edited, and on request the matched items. */
export function RuleWorkspace({ scope, masterid, rules, computed, hasItems, ...editor }: RuleWorkspaceProps) {
  const { rule } = editor;
  const question = useMemo(() => ({ data: rule.id, rules: computed }), [rule.id, computed]);
  const effect = useLive(
    question,
    (signal) =>
      call(api.ruleEffect, {
        params: { masterid: scope.id },
        body: { ...question, rules: [...question.rules] },
        signal,
      }),
    { delay: 300, enabled: hasItems },
  );
  const statistics = useStatistics(scope);
  const [opened, setOpened] = useState(true);
  const compute = () => {
    setOpened(true);
    void statistics.ask(rule.id, rules);
  };
  return (
    <>
      <div className={classes.editor}>
        <RuleEditor {...editor} effect={effect} />
      </div>
      <div className={classes.effectplace}>
        <EffectPanel
          scope={scope}
          masterid={masterid}
          effect={effect}
          rule={rule}
          hasItems={hasItems}
          computing={statistics.busy}
          requested={statistics.busy && statistics.request?.rules === rules}
          onCompute={compute}
        />
        {hasItems && (
          <MetItems scope={scope} rule={rule} computed={computed} mayEdit={editor.mayEdit} onChange={editor.onChange} />
        )}
      </div>
      <div className={classes.results}>
        <Statistics
          scope={scope}
          statistics={statistics}
          rules={rules}
          opened={opened}
          onOpened={setOpened}
          onCompute={compute}
        />
      </div>
    </>
  );
}
