/**
 * How strongly a channel requires a field; label and colours as in GEN-09. `''` means "keine Angaben". The tabbed construction
 * shows the names.
 */
export const requirements = {
  Required: { label: 'Pflicht', color: 'red' },
  Recommended: { label: 'Empfohlen', color: 'green' },
  Optional: { label: 'Optional', color: 'yellow' },
  '': { label: 'keine Angaben', color: 'gray' },
} as const;
export type Requirement = keyof typeof requirements;
export const requirementNames = ['Required', 'Recommended', 'Optional', ''] as const satisfies readonly Requirement[];
