import { type ThemeConfig, theme } from 'antd'
import { colors, control, motion, radius, type Scheme, type } from './tokens.ts'

/** The component kit in our colours, sizes and durations. Fingers get larger controls than pointers. */
export function kitTheme(scheme: Scheme, { moves, touches }: { moves: boolean; touches: boolean }): ThemeConfig {
  const color = colors[scheme]
  return {
    hashed: false,
    // Last in the chain, so that our colours stand as they are and no shade is derived from them.
    algorithm: [
      scheme === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
      (seed, derived) => ({ ...(derived ?? theme.defaultAlgorithm(seed)), ...kitColors(scheme) }),
    ],
    token: {
      controlItemBgActive: color['accent-ground'],
      controlItemBgActiveHover: color['accent-ground'],
      controlItemBgHover: color.hover,
      fontFamily: type.family,
      fontSize: type.text,
      fontSizeHeading4: type.title,
      borderRadius: radius.control,
      borderRadiusSM: radius.control,
      borderRadiusLG: radius.panel,
      controlHeight: touches ? control.touch : control.height,
      controlHeightSM: touches ? control.touch : control.small,
      motion: moves,
      motionDurationFast: `${motion.fast / 1000}s`,
      motionDurationMid: `${motion.slow / 1000}s`,
      motionDurationSlow: `${motion.slow / 1000}s`,
      motionEaseOut: motion.ease,
      boxShadow: color.shadow,
      boxShadowSecondary: color.shadow,
      opacityLoading: 1,
      wireframe: false,
    },
    components: kitComponents(scheme),
  }
}

function kitComponents(scheme: Scheme): ThemeConfig['components'] {
  const color = colors[scheme]
  return {
    Button: {
      primaryColor: color['on-accent'],
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerColor: color['on-accent'],
      dangerShadow: 'none',
      fontWeight: 550,
      borderRadiusLG: radius.control,
      defaultBorderColor: color['line-button'],
    },
    Input: { activeShadow: `0 0 0 3px ${color['accent-ground']}`, borderRadiusLG: radius.control },
    Select: {
      activeOutlineColor: color['accent-ground'],
      optionSelectedBg: color['accent-ground'],
      optionActiveBg: color.hover,
    },
    Tooltip: { colorBgSpotlight: scheme === 'dark' ? color.line : color['ink-strong'] },
    Dropdown: { paddingBlock: 7 },
    Modal: { titleFontSize: type.title, titleColor: color['ink-strong'] },
  }
}

function kitColors(scheme: Scheme) {
  const color = colors[scheme]
  return {
    colorPrimary: color.accent,
    colorPrimaryHover: color['accent-strong'],
    colorPrimaryActive: color['accent-strong'],
    colorPrimaryBg: color['accent-ground'],
    colorPrimaryText: color.accent,
    colorLink: color.accent,
    colorLinkHover: color['accent-strong'],
    colorTextLightSolid: scheme === 'dark' ? color['ink-strong'] : '#ffffff',
    colorText: color.ink,
    colorTextHeading: color['ink-strong'],
    colorTextSecondary: color['ink-quiet'],
    colorTextTertiary: color['ink-quiet'],
    colorTextQuaternary: color['ink-quiet'],
    colorTextPlaceholder: color['ink-quiet'],
    colorTextDescription: color['ink-quiet'],
    colorIcon: color['ink-quiet'],
    colorBgLayout: color.page,
    colorBgContainer: color.panel,
    colorBgElevated: color.raised,
    colorBgMask: color.scrim,
    colorBorder: color['line-strong'],
    colorBorderSecondary: color.line,
    colorSplit: color.line,
    colorError: color.danger,
    colorErrorText: color['danger-ink'],
    colorErrorBg: color['danger-ground'],
    colorSuccess: color.success,
    colorWarning: color['warning-ink'],
    colorInfo: color.accent,
  }
}
