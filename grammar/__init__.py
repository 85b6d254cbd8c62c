"""The languages of the judge as Lark grammars; read as data through `judge.grammar_loader`."""
