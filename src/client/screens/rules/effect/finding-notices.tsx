import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { Link } from 'react-router';
import type { RuleFinding } from '#shared/rules/effect.ts';
import classes from './finding-notices.module.css';
import { rulePath, type RuleScope } from '#client/screens/rules/rule-scope.ts';

type FindingNoticesProps = {
  scope: RuleScope;
  masterid: string;
  findings: readonly RuleFinding[];
  onSelect: (ruleid: string) => void;
};

/** Findings of the rule check about this rule, each with a link to the rule that causes it. */
export function FindingNotices({ scope, masterid, findings, onSelect }: FindingNoticesProps) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label="Prüfung">
      {findings.map(({ code, message, other }, index) => (
        <li key={`${code} ${index}`}>
          <IconAlertTriangle size={18} aria-hidden />
          <span>
            <b>Prüfung:</b> {message}{' '}
            {other !== null &&
              (other.scope === 'same' ? (
                <Link
                  to={rulePath(scope, other.ruleId)}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                    event.preventDefault();
                    onSelect(other.ruleId);
                  }}
                >
                  Zur Regel „{other.name}“
                </Link>
              ) : (
                <Link to={rulePath({ kind: 'master', id: masterid }, other.ruleId)}>
                  Zur Master-Regel „{other.name}“
                </Link>
              ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
