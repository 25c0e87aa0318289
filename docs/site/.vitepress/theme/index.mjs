// The theme of VitePress without its web fonts, in the colours of the pages.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './colours.css'

export default DefaultTheme
