import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
  /** Shown instead once something has failed. */
  readonly instead: ReactNode;
}

/** Keeps a screen that fails from taking the rest of the page with it. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state: { readonly hasFailed: boolean } = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
