import './tabs.css';
import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

/** Contents of which one is shown. Arrow keys go from tab to tab. */
export function Tabs({
  label,
  tabs,
  initial,
  onChange,
}: {
  /** What the tabs choose between, for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Default: the first. */
  readonly initial?: string;
  readonly onChange?: (id: string) => void;
}) {
  return (
    <RadixTabs.Root
      className="tabs"
      defaultValue={initial ?? tabs[0]?.id ?? ''}
      {...(onChange === undefined ? {} : { onValueChange: onChange })}
    >
      <RadixTabs.List className="tabs__list" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.id} value={tab.id} className="tabs__tab">
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.id} value={tab.id} className="tabs__content">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
