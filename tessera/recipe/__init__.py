"""The recipe: layers of data merged into what a stack needs, where every value can say why it is there."""
