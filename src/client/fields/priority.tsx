import { NativeSelect } from '@mantine/core';
import { IconAsterisk, IconCircle, IconMinus, IconStar, type TablerIcon } from '@tabler/icons-react';
import { requirementNames, type Requirement, requirements } from '#shared/channels/requirement.ts';
import { Badge } from '#client/ui/badge.tsx';
import classes from './fields.module.css';

const icons: Record<Requirement, TablerIcon> = {
  Required: IconAsterisk,
  Recommended: IconStar,
  Optional: IconCircle,
  '': IconMinus,
};

/** GEN-09: colour, icon and word. */
export function PriorityBadge({ value }: { value: Requirement }) {
  const { label, color } = requirements[value];
  return (
    <Badge tone={color} icon={icons[value]}>
      {label}
    </Badge>
  );
}

const colors: Record<Requirement, string> = {
  Required: 'var(--k-required-text)',
  Recommended: 'var(--k-recommended-text)',
  Optional: 'var(--k-optional-text)',
  '': 'var(--k-muted)',
};

type PrioritySelectProps = { label: string; value: Requirement; onChange: (value: Requirement) => void };

/** The same as a choice. */
export function PrioritySelect({ label, value, onChange }: PrioritySelectProps) {
  const Icon = icons[value];
  return (
    <NativeSelect
      aria-label={label}
      classNames={{ input: classes.priority }}
      data-tone={requirements[value].color}
      leftSection={<Icon size={14} stroke={2.2} color={colors[value]} aria-hidden />}
      leftSectionWidth={30}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = requirementNames.find((name) => name === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={requirementNames.map((name) => ({ value: name, label: requirements[name].label }))}
    />
  );
}
